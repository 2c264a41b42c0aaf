/** Metres of so many centimetres. */
export function toMetres(centimetres) {
  return centimetres / 100;
}

/** Where the first of the stop texts begins in a text; -1 where there is none. An empty one stops nothing. */
export function firstStop(text: string, stops: readonly string[]): number {
  const places = stops.filter((stop) => stop !== "").map((stop) => text.indexOf(stop));
  return places.reduce((first, place) => (first === -1 || (place !== -1 && place < first) ? place : first), -1);
}

/** What stands on a parcel, a line each. */
export function labelOf(address) {
  return [address.street, `${address.zip} ${address.city}`, address.country].join("\n");
}

/** Where something is sent, written one way. */
export function addressOf({ street, city, zip, country }) {
  return { street, city, zip: zip.trim(), country: country.toUpperCase() };
}

const HOME = "NO";
const RATES = { home: 4, abroad: 9 };

/** What it costs to send so many kilograms there. */
export function postageFor(weightKg, address) {
  return weightKg * RATES[zoneOf(address)] + surchargeOf(address);
}

function zoneOf(address) {
  return address.country === HOME ? "home" : "abroad";
}

/** Islands of this country have zip codes that begin with 9. */
function surchargeOf(address) {
  return zoneOf(address) === "home" && address.zip.startsWith("9") ? 3 : 0;
}

import { bisect } from "simple-statistics";

/** Of the angle whose tangent the quantile is, in radians. */
const TOLERANCE = 1e-15;
const BISECTIONS = 100;

/**
 * The 97.5 % point of Student's t distribution ("Student" 1908): the t with P(|T| <= t) = 0.95. Found by bisection over
 * θ = arctan(t / √df), in which that probability rises from 0 to 1.
 * @param degreesOfFreedom a whole number of at least 1; 12.706 at 1, falling to 1.960
 */
export function studentPoint(degreesOfFreedom: number): number {
  const angle = bisect((theta) => within(theta, degreesOfFreedom) - 0.95, 0, Math.PI / 2, BISECTIONS, TOLERANCE);
  return Math.tan(angle) * Math.sqrt(degreesOfFreedom);
}

/**
 * P(|T| <= √df tan θ), a finite sum for whole degrees of freedom (Abramowitz & Stegun 1964, 26.7.3 and 26.7.4): for even
 * df sin θ {1 + 1/2 cos²θ + 1·3/(2·4) cos⁴θ + … }, for odd ones 2/π [θ + sin θ {cos θ + 2/3 cos³θ + … }], up to
 * cos^(df − 2) θ.
 */
function within(theta: number, degreesOfFreedom: number): number {
  const isOdd = degreesOfFreedom % 2 === 1;
  const [sine, cosine] = [Math.sin(theta), Math.cos(theta)];
  let term = isOdd ? cosine : 1;
  let series = 0;
  for (let power = isOdd ? 1 : 0; power <= degreesOfFreedom - 2; power += 2) {
    series += term;
    term *= (cosine * cosine * (power + 1)) / (power + 2);
  }
  return isOdd ? (2 / Math.PI) * (theta + sine * series) : sine * series;
}

const LEAST = 4;

/** Whether waves of this level are dangerous. */
export function isDangerous(level) {
  return level >= LEAST;
}

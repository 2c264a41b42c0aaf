/** Units of a size, each 1,024 times the one before. */
const UNITS = ["B", "KB", "MB", "GB"];

/** A size in bytes, as a person reads it. */
export function formatSize(bytes) {
  if (!Number.isFinite(bytes) || bytes < 0) throw new RangeError(`not a size: ${bytes}`);
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const digits = unit === 0 || value >= 100 ? 0 : 1;
  return `${value.toFixed(digits)} ${UNITS[unit]}`;
}

/** The opposite: "1.5 KB" are 1,536 bytes. */
export function parseSize(text) {
  const match = /^\s*(\d+(?:\.\d+)?)\s*(B|KB|MB|GB)\s*$/i.exec(text);
  if (match === null) throw new RangeError(`not a size: ${text}`);
  const unit = UNITS.indexOf(match[2].toUpperCase());
  return Math.round(Number(match[1]) * 1024 ** unit);
}

/** Files by their sizes, the largest first; files without one come last. */
export function bySize(files) {
  const sizeOf = ({ size }) => (size === undefined ? -1 : size);
  return [...files].sort((left, right) => sizeOf(right) - sizeOf(left) || (left.name < right.name ? -1 : 1));
}

/** What files take together, and how many have no size. */
export function totalSize(files) {
  let bytes = 0;
  let unknown = 0;
  for (const { size } of files) {
    if (size === undefined) unknown += 1;
    else bytes += size;
  }
  return { bytes, unknown };
}

/** A line for a list of files. */
export function sizeLine(files) {
  const { bytes, unknown } = totalSize(files);
  const text = `${files.length} files, ${formatSize(bytes)}`;
  return unknown === 0 ? text : `${text}, ${unknown} of unknown size`;
}

/**
 * The line and column of each case, step and assertion in a suite file. Checks name them by paths
 * of the expanded (long) form, which do not exist in a file in the short form.
 */

export interface WrittenPlace {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/**
 * The position of every case, step and assertion. The keys are paths in the expanded (long) form of
 * the file.
 */
export type WrittenPlaces = Readonly<Record<string, WrittenPlace>>;

export interface FoundPlace {
  readonly path: string;
  /** For example "Line 3, column 5: "; empty if the position is not known. */
  readonly position: string;
}

/**
 * Finds the position of a path of the expanded (long) form, or of the nearest part that contains
 * it.
 */
export function findWritten(places: WrittenPlaces, path: string): FoundPlace {
  for (let around = path; around !== ''; around = around.replace(/(^|\.|\[)[^.[]*$/, '')) {
    const place = Object.hasOwn(places, around) ? places[around] : undefined;
    if (place === undefined) continue;
    const { line, column } = place;
    const isShort = place.path !== around;
    return {
      path: isShort ? place.path : path,
      position: `Line ${line}, column ${column}: `,
    };
  }
  return { path, position: '' };
}

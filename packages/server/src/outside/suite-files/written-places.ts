/**
 * Where the parts of cases stand in a suite file as a person wrote it. Later checks and warnings
 * name a step of a case, which a case in the short form does not have.
 */

export interface WrittenPlace {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** Places by the path in the long form: of every case, its steps and its assertions. */
export type WrittenPlaces = Readonly<Record<string, WrittenPlace>>;

export interface FoundPlace {
  readonly path: string;
  /** "Line 3, column 5: ", or empty if the place is not known. */
  readonly position: string;
}

/** Finds a path of the long form, or the nearest part around it. */
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

/** @returns the path of the program, or undefined where it cannot be fetched or run. */
export function fetchNode(version: string): string | undefined;
export const nodeVersions: readonly string[];

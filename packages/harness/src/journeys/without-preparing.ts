/**
 * Removes the messages of a build: in a clone the command may first build itself and print that on
 * stderr.
 */
export function withoutPreparing(stderr: string): string {
  return stderr.replace(
    /^(Building the .*|Installing dependencies\.|Waiting for another process that is preparing\.)\n/gm,
    '',
  );
}

/**
 * In a clone the command may first build itself and print that on stderr. These messages are
 * removed.
 */
export function withoutPreparing(stderr: string): string {
  return stderr.replace(
    /^(Building the .*|Installing dependencies\.|Waiting for another process that is preparing\.)\n/gm,
    '',
  );
}

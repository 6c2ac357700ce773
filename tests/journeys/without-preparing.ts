/** In a clone the command may build itself first and say so on stderr; that is not what it has to say. */
export function withoutPreparing(stderr: string): string {
  return stderr.replace(
    /^(Building the .*|Installing dependencies\.|Waiting for another process that is preparing\.)\n/gm,
    '',
  );
}

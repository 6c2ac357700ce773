/** A widget declares an origin that the installation may not reach, and asked for it. */
export function refusedOrigin(origin: string, why: string): string {
  return `The widget asked ${origin}, which is not to be reached from here. ${why}`;
}

/** What stands before any text of a server. */
export const saysRefusedOrigin = /^The widget asked \S+, which is not to be reached from here\./;

/**
 * Returns the message for a request of a widget to a declared origin that the installation may not
 * reach.
 */
export function refusedOrigin(origin: string, why: string): string {
  return `The widget asked ${origin}, which is not to be reached from here. ${why}`;
}

/** Matches the part before any text of a server. */
export const saysRefusedOrigin = /^The widget asked \S+, which is not to be reached from here\./;

/**
 * Returns the message about a widget's request to an origin that the widget declares but that this
 * installation must not reach.
 */
export function refusedOrigin(origin: string, why: string): string {
  return `The widget asked ${origin}, which is not to be reached from here. ${why}`;
}

/** Recognizes such a message by its beginning, which contains no text of a server. */
export const saysRefusedOrigin = /^The widget asked \S+, which is not to be reached from here\./;

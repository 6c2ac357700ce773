/**
 * Returns the message about a widget's request to an origin that the widget declares but that this
 * installation must not reach.
 */
export function refusedOrigin(origin: string, why: string): string {
  return `The widget requested ${origin}, which this service may not reach. ${why}`;
}

/** Recognizes the message about a refused origin by its beginning, which has no server text. */
export const saysRefusedOrigin = /^The widget requested \S+, which this service may not reach\./;

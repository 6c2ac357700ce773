/**
 * The message if a widget requests an origin that the widget declares but that this installation
 * must not reach.
 */
export function refusedOrigin(origin: string, why: string): string {
  return `The widget requested ${origin}, which this service may not reach. ${why}`;
}

/**
 * Matches the beginning of the message from `refusedOrigin`, which contains no text from a server.
 */
export const saysRefusedOrigin = /^The widget requested \S+, which this service may not reach\./;

/**
 * Whether an error of the store will pass, so that the same work may succeed in a moment: one of the connection, or of
 * a database that is starting, stopping or out of resources. Everything else is an answer, and would be the same again.
 */
export function isTransientFailure(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && passing.test(code);
}

/**
 * What the driver and the system say of connections; of the codes of PostgreSQL the classes 08 (connection), 40
 * (collided with others), 53 (out of resources) and 57 (shutting down, starting, cancelled), and a server that does not
 * take writes for the moment.
 */
const passing =
  /^(?:CONNECTION_[A-Z]+|CONNECT_TIMEOUT|E(?!RR_)[A-Z]+(?:_[A-Z]+)?|(?:08|40|53|57)...|25006|55P03)$/;

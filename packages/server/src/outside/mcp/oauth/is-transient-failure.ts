/**
 * Returns whether an error of the store is temporary, so that the same work may soon succeed: an
 * error of the connection, or of a database that starts, stops or lacks resources. Every other
 * error is an answer, and would repeat.
 */
export function isTransientFailure(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && passing.test(code);
}

/**
 * Codes of the driver and the system for connections; of PostgreSQL's codes the classes 08
 * (connection), 40 (conflict with other transactions), 53 (out of resources) and 57 (shutting down,
 * starting, cancelled), and those of a server that accepts no writes at the moment.
 */
const passing =
  /^(?:CONNECTION_[A-Z]+|CONNECT_TIMEOUT|E(?!RR_)[A-Z]+(?:_[A-Z]+)?|(?:08|40|53|57)...|25006|55P03)$/;

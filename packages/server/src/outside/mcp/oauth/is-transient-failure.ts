/**
 * Returns whether an error of the store is temporary, so that a retry may succeed: an error of the
 * connection, or of a database that starts, stops or lacks resources. Any other error would occur
 * again.
 */
export function isTransientFailure(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && passing.test(code);
}

/**
 * Temporary errors. From the driver and the system: codes about connections. From PostgreSQL: the
 * classes 08 (connection), 40 (conflict with other transactions), 53 (out of resources) and 57
 * (shutting down, starting, cancelled), and the codes of a server that currently accepts no writes.
 */
const passing =
  /^(?:CONNECTION_[A-Z]+|CONNECT_TIMEOUT|E(?!RR_)[A-Z]+(?:_[A-Z]+)?|(?:08|40|53|57)...|25006|55P03)$/;

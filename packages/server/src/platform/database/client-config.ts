import type pg from 'pg';

export type ConnectionKind =
  | 'door'
  | 'callers'
  | 'work'
  | 'leases'
  | 'listen'
  | 'queue'
  | 'operator'
  | 'heartbeat'
  | 'hold'
  | 'migrations'
  | 'backup';

/** Settings of a PostgreSQL session. PostgreSQL reads these times in milliseconds. */
export interface SessionSettings {
  readonly search_path?: string;
  readonly DateStyle?: string;
  readonly bytea_output?: string;
  readonly statement_timeout?: number;
  readonly idle_in_transaction_session_timeout?: number;
}

/**
 * Returns the configuration of a connection. `application_name` is the name in the operator's URL
 * (default: `proofmark`) followed by the kind and `more`. Our session settings override those in
 * the URL.
 */
export function clientConfig(
  url: string,
  kind: ConnectionKind,
  settings: SessionSettings = {},
  /** Text after the kind in the application name, which identifies the process. */
  more = '',
): pg.ClientConfig {
  const [address = '', query] = url.split('?', 2);
  const parameters = new URLSearchParams(query);
  const name = parameters.get('application_name') ?? 'proofmark';
  const options = Object.entries(settings).map(([key, value]) => `-c ${key}=${value}`);
  parameters.set('application_name', `${name} ${kind}${more}`);
  parameters.set('options', [parameters.get('options') ?? '', ...options].join(' ').trim());
  return { connectionString: `${address}?${parameters}`, keepAlive: true };
}

/**
 * Messages that a server sends unrequested: notifications, and the lines that a child process
 * writes to its error output. Listeners get each message before a limit of the session can drop it.
 * Further events report a lost and reopened session, a request that was rejected for an undeclared
 * ability, a line of standard output that is no protocol message, and a gap in which a change of the
 * tools may have been missed.
 */
export type ServerEvent =
  | { readonly method: string; readonly params: unknown }
  | { readonly errorLine: string }
  | { readonly noise: string }
  | { readonly refusedMethod: string; readonly ability: string }
  | { readonly reopenedAfter: string }
  | { readonly mayHaveChanged: 'tools' };

export type OnServerEvent = (event: ServerEvent) => void;

/**
 * Messages that a server sends unrequested: notifications, and the lines that a child process
 * writes to its error output. Listeners get each message at once, before a limit of the session can
 * drop it; how much they store is up to them. Further events: a session that was lost and reopened,
 * with the reason of the loss; a request that was rejected because the client does not declare the
 * ability; and a line of a child process's standard output that is no protocol message.
 */
export type ServerEvent =
  | { readonly method: string; readonly params: unknown }
  | { readonly errorLine: string }
  | { readonly noise: string }
  | { readonly refusedMethod: string; readonly ability: string }
  | { readonly reopenedAfter: string };

export type OnServerEvent = (event: ServerEvent) => void;

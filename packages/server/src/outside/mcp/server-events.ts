/**
 * Unsolicited messages of a server: notifications, and the lines that a child process writes to its
 * error output. Listeners get each at once, before any limit of the session drops it, and keep as
 * much as they want. Further events: a session that was lost and reopened, with the reason of the
 * loss; a request that was rejected because the client does not declare the ability; and a line of
 * a child process's standard output that is no message.
 */
export type ServerEvent =
  | { readonly method: string; readonly params: unknown }
  | { readonly errorLine: string }
  | { readonly noise: string }
  | { readonly refusedMethod: string; readonly ability: string }
  | { readonly reopenedAfter: string };

export type OnServerEvent = (event: ServerEvent) => void;

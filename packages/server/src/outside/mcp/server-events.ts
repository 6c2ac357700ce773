/**
 * What a server says without being asked: notifications, and the lines a child process writes to its error output. It is
 * heard as it comes, before any bound of the session drops it; whoever listens keeps as much as it wants, at once. A
 * session that was lost and opened anew is an event as well, with the reason for the loss, so are a request that was
 * refused because the client does not declare the ability to answer it, and
 * a line of a child process's standard output that is no message.
 */
export type ServerEvent =
  | { readonly method: string; readonly params: unknown }
  | { readonly errorLine: string }
  | { readonly noise: string }
  | { readonly refusedMethod: string; readonly ability: string }
  | { readonly reopenedAfter: string };

export type OnServerEvent = (event: ServerEvent) => void;

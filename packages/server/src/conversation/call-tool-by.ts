import type { TrialServers } from './run-servers.ts';

export async function callToolBy(
  ask: TrialServers['ask'],
  ...[serverId, name, input, signal, onWaiting, mayRepeat, onTask]: Parameters<
    TrialServers['callTool']
  >
): ReturnType<TrialServers['callTool']> {
  let repeatedAfterMs: number | undefined;
  const onRepeat = (afterMs: number) => {
    repeatedAfterMs = afterMs;
  };
  const outcome = await ask(
    serverId,
    (connected) => connected.callTool(name, input, onTask),
    signal,
    onWaiting,
    mayRepeat === true ? onRepeat : undefined,
  );
  return repeatedAfterMs === undefined ? outcome : { ...outcome, repeatedAfterMs };
}

/** Names only the kinds of stored credentials. The page never receives their values. */
import type { ProjectServer } from '@proofmark/contract';

export function storedCredentials(
  server: Pick<ProjectServer, 'headerNames' | 'hasClientSecret'>,
): string[] {
  const count = server.headerNames.length;
  return [
    ...(count > 0 ? [count === 1 ? '1 header' : `${count} headers`] : []),
    ...(server.hasClientSecret ? ['client secret'] : []),
  ];
}

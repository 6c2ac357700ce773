import type { NamedServer } from '../../../servers/index.ts';

/** Finds a server by id, or by name regardless of upper and lower case. */
export function findServerByName(
  servers: readonly NamedServer[],
  reference: string,
): NamedServer | undefined {
  const name = comparable(reference);
  return (
    servers.find(({ id }) => id === reference) ??
    servers.find((server) => comparable(server.name) === name)
  );
}

function comparable(name: string): string {
  return name.trim().toLowerCase();
}

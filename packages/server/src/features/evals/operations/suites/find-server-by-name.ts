import type { NamedServer } from '../../../servers/index.ts';

/** Finds a server by id or by name. The case of the name is ignored. */
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

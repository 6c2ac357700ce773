import type { NamedServer } from '../../../servers/index.ts';

/** Servers are named by id or by name, whatever the case of its letters. */
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

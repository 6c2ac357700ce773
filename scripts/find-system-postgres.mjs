import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

const versionsFolder = '/usr/lib/postgresql';
const oldestSupported = 15;

export function findSystemPostgres() {
  if (!existsSync(versionsFolder)) return undefined;
  return readdirSync(versionsFolder)
    .filter((name) => /^\d+$/.test(name) && Number(name) >= oldestSupported)
    .sort((a, b) => Number(b) - Number(a))
    .map((name) => path.join(versionsFolder, name, 'bin'))
    .map((folder) => ({
      initdb: path.join(folder, 'initdb'),
      postgres: path.join(folder, 'postgres'),
    }))
    .find(({ initdb, postgres }) => existsSync(initdb) && existsSync(postgres));
}

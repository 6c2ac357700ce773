/** For tests: the programs of the PostgreSQL that this run of the tests is about; none means the embedded one. */
import { readdirSync } from 'node:fs';
import type { PostgresBinaries } from './postgres-binaries.ts';

const systemFolder = '/usr/lib/postgresql';

export function testedBinaries(cluster: string | undefined): { binaries?: PostgresBinaries } {
  if (cluster !== 'system') return {};
  const newest = Math.max(...readdirSync(systemFolder).map(Number).filter(Number.isInteger));
  const folder = `${systemFolder}/${newest}/bin`;
  return { binaries: { initdb: `${folder}/initdb`, postgres: `${folder}/postgres` } };
}

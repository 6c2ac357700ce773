/** The programs of the PostgreSQL that this run of the tests is about; none means the embedded one. */
import { findSystemPostgres } from '../../../scripts/find-system-postgres.mjs';

export function testedBinaries(cluster: string | undefined): {
  binaries?: { initdb: string; postgres: string };
} {
  const binaries = cluster === 'system' ? findSystemPostgres() : undefined;
  return binaries === undefined ? {} : { binaries };
}

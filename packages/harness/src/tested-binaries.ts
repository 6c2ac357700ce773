/** The PostgreSQL programs that this test run uses; undefined for the embedded ones. */
import { findSystemPostgres } from '../../../scripts/find-system-postgres.mjs';

export function testedBinaries(cluster: string | undefined): {
  binaries?: { initdb: string; postgres: string };
} {
  const binaries = cluster === 'system' ? findSystemPostgres() : undefined;
  return binaries === undefined ? {} : { binaries };
}

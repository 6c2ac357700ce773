import { auditActionWords, auditKinds } from '@proofmark/domain';
import {
  type AuditFilter,
  type AuditLine,
  isKnownActor,
  listAuditLines,
} from '../platform/accounts/store/audit-log.ts';
import type { Database } from '../platform/database/database.ts';
import { operatorSearch } from './operator-input.ts';
import { BadSetting } from './setting.ts';

export interface AuditSearch {
  readonly organization?: string | undefined;
  /**
   * The project's id, not its name, because a project may be deleted while its audit lines remain.
   */
  readonly projectId?: string | undefined;
  readonly kind?: string | undefined;
  readonly actor?: string | undefined;
  readonly resource?: string | undefined;
  /** The start of the time range: an ISO 8601 day or timestamp. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** Newest first. */
export async function searchAuditLog(
  owner: Database,
  wanted: AuditSearch & { readonly limit: number },
): Promise<readonly AuditLine[]> {
  const { limit } = wanted;
  if (!Number.isInteger(limit) || limit < 1 || limit > 10_000)
    throw new BadSetting('The limit must be a whole number from 1 to 10000.');
  return listAuditLines(owner.sql, { ...(await filterOf(owner, wanted)), limit });
}

/**
 * Iterates over all lines, newest first. Lines are read in pages, because a log may be larger than
 * memory.
 */
export async function* walkAuditLog(
  owner: Database,
  wanted: AuditSearch,
): AsyncGenerator<AuditLine> {
  const filter = await filterOf(owner, wanted);
  let beforeId: number | undefined;
  for (;;) {
    const lines = await listAuditLines(owner.sql, { ...filter, beforeId, limit: atOnce });
    yield* lines;
    if (lines.length < atOnce) return;
    beforeId = lines.at(-1)?.id;
  }
}

const atOnce = 1000;

async function filterOf(owner: Database, wanted: AuditSearch): Promise<Omit<AuditFilter, 'limit'>> {
  const { organization, projectId, kind, actor, resource } = wanted;
  if (kind !== undefined && !Object.hasOwn(auditActionWords, kind)) {
    if (!(auditKinds as readonly string[]).includes(kind)) {
      throw new BadSetting(`There is no kind ${kind}; the kinds are ${auditKinds.join(', ')}.`);
    }
  }
  if (actor !== undefined && !(await isKnownActor(owner.sql, actor))) {
    throw new BadSetting(
      `There is no account ${actor}, and the audit log has no actions of an account with this address.`,
    );
  }
  const organizationId =
    organization === undefined
      ? undefined
      : await operatorSearch(owner).organizationOf(organization);
  const times = { since: instantOf(wanted.since), until: instantOf(wanted.until) };
  return { organizationId, projectId, kind, actor, resource, ...times };
}

function instantOf(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const at = new Date(text);
  if (/^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(at.getTime())) return at;
  throw new BadSetting(`${text} is not a time; write it like 2026-03-04 or 2026-03-04T05:06:07Z.`);
}

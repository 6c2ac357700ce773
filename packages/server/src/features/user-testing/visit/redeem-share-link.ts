/**
 * Opens a share link in one transaction that locks the scenario. Otherwise a visitor could be
 * admitted by an access mode that was just changed.
 */
import { accessDenied, admitByLink, notFound, tierAllows } from '@proofmark/domain';
import { hashToken } from '../../../platform/accounts/token.ts';
import type { Sql } from '../../../platform/database/database.ts';
import { refuse } from '../../../platform/operations/action.ts';
import {
  acceptInvite,
  ensureGrant,
  noteMember,
  organizationOfLink,
  organizationOfScenario,
  readVisit,
  type Visit,
} from '../store/visits.ts';
import { brakeVisit } from './brake-visit.ts';
import { noticeOf } from './enter-visit.ts';
import { playedEnvironment } from './played-environment.ts';
import type { PlayedEnvironment } from './turn-runner.ts';
import type { VisitAction, VisitContext } from './visit-action.ts';

export const redeemShareLink: VisitAction<'redeemShareLink'> = async (context, { body }) => {
  const { database, addressHash, identity } = context;
  const byLink = 'token' in body;
  const wanted = byLink ? { tokenHash: hashToken(body.token) } : { scenarioId: body.scenarioId };
  const which = byLink ? hashToken(body.token).toString('hex') : body.scenarioId;
  const organizationId =
    'tokenHash' in wanted
      ? await organizationOfLink(database, wanted.tokenHash)
      : await organizationOfScenario(database, wanted.scenarioId);
  // All invalid links from one address share one rate limit, so that guessed links fill no table
  // and guessing is no faster than valid requests.
  const who = context.isAddressShared ? nameOf(identity) : addressHash;
  const bucket = organizationId === undefined ? addressHash : `${who} ${which}`;
  await brakeVisit(context, 'visitorRedeemsPerMinute', bucket);
  // An unknown scenario id gets the same refusal as a scenario that has not admitted the visitor,
  // so that nobody can find out which ids exist.
  if (organizationId === undefined) return refuse(byLink ? notFound : accessDenied);
  return database.tenant([organizationId], async (sql) => {
    const invite = byLink ? body.invite : undefined;
    const visit = await readWithInvite(sql, context, wanted, invite);
    const admission = admitByLink(visit.facts, byLink ? 'link' : 'grant');
    if ('refusal' in admission) return refuse(admission.refusal);
    const { scenario, memberId } = visit;
    const played = await playedEnvironment(sql, scenario);
    if (memberId !== null) await noteMember(sql, memberId, context.identity);
    const grant = await ensureGrant(sql, visit, context.identity, context.newId('scenarioGrant'));
    const notice = noticeOf(context);
    return {
      ...present(visit, played),
      notice,
      consented: grant.consentVersion === notice.version,
    };
  });
};

function nameOf(identity: VisitContext['identity']): string {
  return identity.kind === 'account' ? identity.accountId : identity.visitorId;
}

/**
 * Reads the visitor's access, and first accepts the one-time invitation if one is given. A used or
 * expired invitation is ignored.
 */
async function readWithInvite(
  sql: Sql,
  { identity }: VisitContext,
  wanted: Parameters<typeof readVisit>[1],
  invite: string | undefined,
): Promise<Visit> {
  const visit = (await readVisit(sql, wanted, identity)) ?? refuse(notFound);
  if (invite === undefined || visit.facts.isInvited) return visit;
  const isBound = await acceptInvite(sql, visit.scenario.id, hashToken(invite), identity);
  return isBound ? ((await readVisit(sql, wanted, identity)) ?? refuse(notFound)) : visit;
}

function present({ scenario, tier }: Visit, { servers, client }: PlayedEnvironment) {
  const { config, modelId } = client;
  const optional = new Set(config.optionalServerIds ?? []);
  for (const id of config.serverIds ?? []) optional.delete(id);
  return {
    scenarioId: scenario.id,
    accessVersion: scenario.accessVersion,
    role: tierAllows(tier, 'admin') ? ('admin' as const) : ('chat' as const),
    mode: scenario.mode,
    title: scenario.name,
    description: scenario.description,
    requireToolApproval: config.requireToolApproval === true,
    servers: servers.map(({ id, name }) => ({ name, optional: optional.has(id) })),
    clientStyle: config.hostStyle ?? null,
    feedback: scenario.feedback,
    welcome: scenario.welcome,
    modelLabel: modelId,
  };
}

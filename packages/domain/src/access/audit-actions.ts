/**
 * Every action that the audit log records, with its display text. The name before the dot is the
 * kind of action.
 */
export const auditActionWords = {
  'account.credentialsEnded': 'earlier password, sessions and keys ended',
  'account.disabled': 'account disabled',
  'account.enabled': 'account enabled',
  'account.linkCreated': 'sign-in link made',
  'account.passwordChanged': 'password changed',
  'account.passwordReset': 'password reset',
  'account.sessionsEnded': 'sessions ended',
  'account.signInFailed': 'sign-in failed',
  'account.signedIn': 'signed in',
  'account.signedOut': 'signed out',
  'apiKey.created': 'API key made',
  'apiKey.revoked': 'API key revoked',
  'client.created': 'client made',
  'client.deleted': 'client deleted',
  'client.duplicated': 'client duplicated',
  'client.serversReplaced': 'servers of a client replaced',
  'client.updated': 'client changed',
  'environment.archived': 'environment archived',
  'environment.created': 'environment made',
  'environment.restored': 'environment restored',
  'environment.updated': 'environment changed',
  'evalCase.created': 'case made',
  'evalCase.deleted': 'case deleted',
  'evalCase.updated': 'case changed',
  'evalRun.cancelled': 'run cancelled',
  'evalRun.deleted': 'run deleted',
  'evalRun.insightsAsked': 'insights of a run requested',
  'evalRun.judgeAsked': 'judge of a run requested',
  'evalRun.launched': 'run launched',
  'evalRun.reported': 'run reported',
  'evalSuite.casesAdded': 'cases added to a suite',
  'evalSuite.created': 'suite made',
  'evalSuite.deleted': 'suite deleted',
  'evalSuite.imported': 'suite imported',
  'evalSuite.mutated': 'mutation of a suite started',
  'evalSuite.mutationCancelled': 'mutation of a suite cancelled',
  'evalSuite.scheduled': 'schedule of a suite changed',
  'evalSuite.updated': 'suite changed',
  'gateWaiver.created': 'waiver made',
  'gateWaiver.revoked': 'waiver revoked',
  'finding.dismissed': 'finding hidden',
  'finding.undismissed': 'finding shown again',
  'journey.archived': 'journey archived',
  'journey.created': 'journey made',
  'journey.updated': 'journey changed',
  'journeyRun.canceled': 'journey run canceled',
  'journeyRun.launched': 'journey run launched',
  'member.added': 'member added',
  'member.invitationWithdrawn': 'invitation withdrawn',
  'member.invited': 'member invited',
  'member.joined': 'member joined',
  'member.removed': 'member removed',
  'member.roleChanged': 'role changed',
  'member.tierChanged': 'tier in a project changed',
  'installation.keyChanged': 'secret key changed',
  'installation.restored': 'backup restored',
  'modelProvider.created': 'model provider made',
  'modelProvider.deleted': 'model provider deleted',
  'modelProvider.updated': 'model provider changed',
  'organization.created': 'organization made',
  'organization.featureChanged': 'feature switched',
  'organization.quotaChanged': 'quota changed',
  'organization.retentionApplied': 'removed by retention',
  'organization.retentionChanged': 'retention changed',
  'persona.archived': 'persona archived',
  'persona.created': 'persona made',
  'persona.updated': 'persona changed',
  'plugin.created': 'plugin made',
  'plugin.deleted': 'plugin deleted',
  'plugin.versionActivated': 'version of a plugin activated',
  'plugin.versionCreated': 'version of a plugin created',
  'project.created': 'project made',
  'project.deleted': 'project deleted',
  'project.scorerSecretRotated': 'scorer secret of a project replaced',
  'project.updated': 'project changed',
  'quarantine.created': 'case put into quarantine',
  'quarantine.removed': 'quarantine of a case lifted',
  'scenario.insightsAsked': 'insights of a window of a scenario requested',
  'scenario.insightsReleased': 'insights of a window cancelled',
  'scenario.sessionDeleted': 'session of a visitor deleted',
  'scenario.sessionsForgotten': 'sessions of visitors removed by age',
  'scenario.guestExecutionSet': 'spending limits for guests of a scenario changed',
  'scenario.linkRotated': 'link of a scenario rotated',
  'scenario.memberInvited': 'person invited to a scenario',
  'scenario.memberRemoved': 'person removed from a scenario',
  'scenario.modeChanged': 'access to a scenario changed',
  'scenario.published': 'scenario published',
  'scenario.rebound': 'environment of a scenario changed',
  'scenario.unpublished': 'scenario unpublished',
  'scenario.updated': 'scenario changed',
  'server.created': 'server made',
  'server.deleted': 'server deleted',
  'server.tokensImported': 'tokens of a server imported',
  'server.toolCalled': 'tool called',
  'server.updated': 'server changed',
  'serverAttachment.created': 'group of servers made',
  'serverAttachment.deleted': 'group of servers deleted',
  'skill.created': 'skill made',
  'skill.deleted': 'skill deleted',
  'skill.versionCreated': 'version of a skill created',
  'swarm.archived': 'swarm archived',
  'swarm.created': 'swarm made',
  'swarm.updated': 'swarm changed',
  'wave.insightsAsked': 'insights of a wave requested',
  'wave.insightsReleased': 'insights of a wave cancelled',
} as const;

export type AuditAction = keyof typeof auditActionWords;

export const auditKindWords = {
  account: 'Signing in',
  apiKey: 'API keys',
  client: 'Clients',
  environment: 'Environments',
  evalCase: 'Cases',
  evalRun: 'Runs',
  evalSuite: 'Suites',
  finding: 'Findings',
  gateWaiver: 'Waivers',
  installation: 'Installation',
  journey: 'Journeys',
  journeyRun: 'Journey runs',
  member: 'Members',
  modelProvider: 'Model providers',
  organization: 'Organization',
  persona: 'Personas',
  plugin: 'Plugins',
  project: 'Projects',
  quarantine: 'Quarantine',
  scenario: 'Scenarios',
  server: 'Servers',
  serverAttachment: 'Groups of servers',
  skill: 'Skills',
  swarm: 'Swarms',
  wave: 'Waves',
} as const;

export type AuditKind = keyof typeof auditKindWords;
export const auditKinds = Object.keys(auditKindWords) as [AuditKind, ...AuditKind[]];

/**
 * Kinds of callers. `operator` uses a terminal on the service's machine, `service` is scheduled
 * work, and the identity of a `visitor` is only claimed.
 */
export const auditCallerKinds = ['key', 'session', 'operator', 'service', 'visitor'] as const;
export type AuditCallerKind = (typeof auditCallerKinds)[number];

export const auditCallerWords: Readonly<Record<AuditCallerKind, string>> = {
  key: 'API key',
  session: 'console',
  operator: 'operator',
  service: 'service',
  visitor: 'not signed in',
};

/**
 * Details of an audit entry: names of sent fields, words from fixed lists, and ids and names of
 * related resources. No detail may be a secret.
 */
export interface AuditDetails {
  readonly fields?: readonly string[] | undefined;
  readonly runId?: string | undefined;
  readonly suiteId?: string | undefined;
  /** Id of a case in a quarantine. */
  readonly caseId?: string | undefined;
  readonly sourceId?: string | undefined;
  readonly projectId?: string | undefined;
  readonly email?: string | undefined;
  readonly role?: string | undefined;
  readonly formerRole?: string | undefined;
  readonly tier?: string | undefined;
  /** Access mode of a scenario. */
  readonly mode?: string | undefined;
  readonly formerMode?: string | undefined;
  readonly environmentId?: string | undefined;
  /**
   * Id of a member of a scenario. The email address is not stored here, because it must disappear
   * when the membership is deleted.
   */
  readonly memberId?: string | undefined;
  readonly method?: 'password' | 'link' | 'oidc' | 'invitation' | undefined;
  readonly address?: string | undefined;
  readonly provider?: string | undefined;
  readonly tool?: string | undefined;
  readonly scope?: string | undefined;
  readonly feature?: string | undefined;
  readonly quota?: string | undefined;
  /** The kind of data to which the changed retention rule applies. */
  readonly kept?: string | undefined;
  /** Amount of data that retention removed, as text. */
  readonly removed?: string | undefined;
  readonly state?: string | undefined;
  /** Time at which the restored backup was taken. */
  readonly takenAt?: string | undefined;
  readonly migration?: number | undefined;
}

/**
 * Returns the details in display order. Details that the table shows in another column are omitted.
 */
export function auditDetailWords(details: AuditDetails | null): string[] {
  const { fields = [], ...rest } = details ?? {};
  const described = detailNames.flatMap(([name, word]) => {
    if (rest[name] === undefined) return [];
    const isNew = name === 'role' && rest.formerRole === undefined;
    return [`${isNew ? 'as' : word} ${rest[name]}`];
  });
  return fields.length === 0 ? described : [...described, `fields: ${fields.join(', ')}`];
}

const detailNames: readonly (readonly [Exclude<keyof AuditDetails, 'fields'>, string])[] = [
  ['email', 'of'],
  ['formerRole', 'from'],
  ['role', 'to'],
  ['tier', 'tier'],
  ['mode', 'for'],
  ['formerMode', 'formerly'],
  ['environmentId', 'environment'],
  ['memberId', 'member'],
  ['provider', 'called'],
  ['tool', 'tool'],
  ['scope', 'scope'],
  ['feature', 'feature'],
  ['quota', 'quota'],
  ['kept', 'of'],
  ['removed', 'removed'],
  ['state', 'now'],
  ['takenAt', 'of'],
  ['migration', 'migration'],
  ['method', 'by'],
  ['address', 'from address'],
  ['runId', 'run'],
  ['suiteId', 'suite'],
  ['caseId', 'case'],
  ['sourceId', 'copy of'],
  ['projectId', 'project'],
];

/**
 * Operations that are tools of Proofmark's MCP server, and the reasons why the others are not. A
 * model chooses badly among hundreds of tools. So only those to inspect servers, test them and read
 * results are included.
 */
import type { ActionOperationId } from '../operations.ts';

export interface ToolTraits {
  /** Whether a call may cost money, because it calls models. */
  readonly spends?: true;
  /** A sentence about the data that a call may delete, for the person who permits the call. */
  readonly destroys?: string;
  /** Arguments of the operation that the tool does not accept. */
  readonly without?: readonly string[];
  /**
   * Whether the tool declares no output schema. A deeply nested schema would be longer than the
   * response.
   */
  readonly isDeep?: true;
  /** A tool that returns the same data in smaller parts. */
  readonly shorter?: ActionOperationId;
}

/**
 * Keys of model providers. Tools do not accept them, because a key would stay in the conversation
 * and in every record of it.
 */
const secrets = ['modelApiKeys'] as const;
/** Arguments that the API accepts from older callers and ignores. */
const older = ['serverNames', 'suiteRerun', 'refreshSnapshot'] as const;
/** Inline cases. Tools do not accept them, because another tool imports cases as a suite file. */
const inline = ['suiteName', 'suiteDescription', 'tests'] as const;

export const toolRows = {
  getMe: {},
  listProjects: {},
  getProjectCapabilities: { isDeep: true },
  listModels: {},

  listProjectServers: {},
  getProjectServer: {},
  validateServer: {},
  runDoctor: { isDeep: true },
  checkOAuth: {},
  listTools: {},
  lintServer: { isDeep: true },
  callTool: { destroys: 'The tool that is called may change or delete anything it can reach.' },
  listPrompts: {},
  getPrompt: {},
  listResources: {},
  listResourceTemplates: {},
  readResource: {},
  runServerConformance: {},
  exportServer: { shorter: 'listTools' },

  listClients: {},
  getClient: { isDeep: true },
  listEnvironments: {},
  getEnvironment: {},
  resolveEnvironment: { isDeep: true },

  listEvalSuites: {},
  getEvalSuite: { isDeep: true },
  exportEvalSuite: { shorter: 'listEvalCases' },
  importEvalSuite: {
    destroys: 'It replaces a suite that was imported under the same id, with all its cases.',
    without: ['dataFiles'],
  },
  listEvalCases: { isDeep: true },
  getEvalCase: { isDeep: true },
  createEvalSuiteMutation: { spends: true },
  listEvalSuiteMutations: { isDeep: true },
  getEvalSuiteMutation: { isDeep: true },
  cancelEvalSuiteMutation: {
    isDeep: true,
    destroys: 'Mutants that have not been tried yet get no result.',
  },
  generateEvalCases: { isDeep: true, spends: true, without: secrets },

  estimateEvalRun: {},
  planEvalSuite: { isDeep: true },
  getEvalSuiteFlaky: { isDeep: true },
  createEvalRun: { spends: true, without: [...secrets, ...older, ...inline] },
  rerunEvalRun: { spends: true, without: secrets },
  createEvalRunGroup: { isDeep: true, spends: true, without: [...secrets, ...older, ...inline] },
  getEvalRunGroup: { isDeep: true },
  cancelEvalRun: { isDeep: true, destroys: 'Trials that have not ended yet get no result.' },
  listEvalSuiteRuns: { isDeep: true },
  getEvalRun: { isDeep: true },
  getEvalRunDecisionSummary: { isDeep: true },
  getEvalRunStatistics: { isDeep: true },
  getEvalRunStages: { isDeep: true },
  getEvalRunSurface: { isDeep: true },
  getEvalRunLint: { isDeep: true },
  compareEvalRun: { isDeep: true },
  listEvalRunIterations: { isDeep: true },
  getEvalIteration: { isDeep: true },
  getEvalRunSteps: {},
  getEvalIterationTrace: { shorter: 'getEvalRunSteps' },
  getEvalIterationTools: {},
  getEvalIterationWidgets: { isDeep: true },
  getGateWaiver: {},
  listEvalQuarantine: { isDeep: true },
  requestEvalRunInsights: { spends: true, without: secrets },
  requestEvalRunJudge: { spends: true, without: secrets },
  listSessions: {},
} as const satisfies { readonly [Id in ActionOperationId]?: ToolTraits };

export type ToolRowId = keyof typeof toolRows;

export const notToolRows = {
  'It takes or makes credentials, which must not stand in a conversation.': [
    'createProjectServer',
    'updateProjectServer',
    'importOAuthTokens',
  ],
  'It deletes what people keep, which they do in the console or with the command.': [
    'deleteProject',
    'deleteProjectServer',
    'deleteEvalSuite',
    'deleteEvalCase',
    'deleteEvalRun',
  ],
  'It is how a project is set up, which people do in the console or with the command.': [
    'createProject',
    'updateProject',
    'createClient',
    'updateClient',
    'deleteClient',
    'duplicateClient',
    'setClientServers',
    'createEnvironment',
    'updateEnvironment',
    'archiveEnvironment',
    'restoreEnvironment',
    'getEnvironmentCapabilities',
    'ensureAdhocEnvironment',
    'nameEnvironment',
    'attachEvalSuiteEnvironment',
    'createServerAttachment',
    'deleteServerAttachment',
    'getServerAttachment',
    'listServerAttachments',
    'createSkill',
    'createSkillVersion',
    'deleteSkill',
    'getSkill',
    'listSkills',
    'createPlugin',
    'createPluginVersion',
    'deletePlugin',
    'getPlugin',
    'getPluginVersion',
    'listProjectPlugins',
  ],
  'A suite file says the same: exportEvalSuite reads it and importEvalSuite takes it.': [
    'createEvalSuite',
    'updateEvalSuite',
    'createEvalCase',
    'createEvalCases',
    'updateEvalCase',
  ],
  'It spends again and again without anybody asking.': ['updateEvalSuiteSchedule'],
  'Letting a failing run through is the decision of a person.': [
    'createEvalQuarantineEntry',
    'createGateWaiver',
    'removeEvalQuarantineEntry',
    'revokeGateWaiver',
  ],
  'It is for programs: reporters send results, and collectors fetch traces and recordings.': [
    'createEvalIngestUploadUrl',
    'finalizeEvalIngestRun',
    'ingestEvalRunIterations',
    'reportEvalRun',
    'startEvalIngestRun',
    'exportTracesOtlp',
    'getEvalIterationRecording',
    'followEvalRun',
  ],
  'It answers with pictures, which people look at in the console.': [
    'getEvalIterationWidgetPicture',
    'previewWidget',
  ],
  'It is the older path of another row, or says less than another row.': [
    'createHost',
    'deleteHost',
    'duplicateHost',
    'getHost',
    'listHosts',
    'setHostServers',
    'updateHost',
    'listChatSessions',
    'listOrganizations',
  ],
  'It is an agent itself.': ['runAgentTurn'],
  'Swarms and user testing would double the tools; the console and the command have them.': [
    'createPersona',
    'deletePersona',
    'generatePersonas',
    'getPersona',
    'listPersonas',
    'updatePersona',
    'archiveSwarm',
    'createSwarm',
    'getSwarm',
    'listSwarms',
    'updateSwarm',
    'cancelJourneyRun',
    'estimateJourneyRun',
    'getJourneyRun',
    'getJourneyRunSessionTrace',
    'launchJourneyRun',
    'listJourneyRunSessions',
    'listJourneyRuns',
    'archiveJourney',
    'createJourney',
    'generateJourneys',
    'getJourney',
    'listJourneys',
    'updateJourney',
    'cancelWaveInsights',
    'compareWaves',
    'createEvalCaseFromSession',
    'dismissSwarmFinding',
    'getJourneyRunScorecard',
    'getSwarmOverview',
    'getWave',
    'getWaveInsights',
    'listSwarmFindings',
    'requestWaveInsights',
    'undismissSwarmFinding',
    'createEvalCaseFromVisit',
    'deleteUserTestingSession',
    'getUserTestingSession',
    'listUserTestingSessions',
    'cancelUserTestingInsights',
    'dismissUserTestingFinding',
    'getUserTestingMetrics',
    'getUserTestingSignals',
    'getUserTestingUsage',
    'getUserTestingWindowInsights',
    'listUserTestingFindings',
    'requestUserTestingInsights',
    'undismissUserTestingFinding',
    'getScenario',
    'getUserTestingScenario',
    'listScenarios',
    'publishScenario',
    'rebindScenario',
    'rotateScenarioLink',
    'unpublishScenario',
    'updateUserTestingScenario',
    'listScenarioMembers',
    'removeScenarioMember',
    'setGuestExecution',
    'upsertScenarioMember',
  ],
} as const satisfies Readonly<Record<string, readonly ActionOperationId[]>>;

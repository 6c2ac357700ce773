import { isRecord } from '../kernel/json.ts';
import { type AnalyzedTrial, errorTextOf } from './analyzed-trial.ts';
import { type Candidate, cutText, mostFrequent } from './candidate.ts';
import {
  type CandidateMaterial,
  type FindingEvidence,
  type FindingTarget,
  materialLimits,
} from './finding-evidence.ts';
import { patternOf } from './pattern.ts';
import { toolIdOf } from './tool-uses.ts';
import { excerptAround, lastAnswer } from './transcript-text.ts';
import { narrationLimits, type ShownCandidate, type ShownTool } from './write-narration-request.ts';

export interface NamedUnit {
  readonly trial: Pick<
    AnalyzedTrial,
    'id' | 'failure' | 'failedByJudge' | 'failedPrompt' | 'failedTool' | 'tools' | 'toolSurfaceHash'
  >;
  readonly messages: readonly unknown[];
  /** The offered tools, by server; undefined if they were not recorded. */
  readonly surface: Readonly<Record<string, unknown>> | undefined;
}

export interface NamedTrial extends NamedUnit {
  readonly trial: AnalyzedTrial;
}

export function evidenceOfRun(
  candidate: Candidate,
  find: (trialId: string) => NamedUnit | undefined,
  idName: IdName = 'iterationId',
): { readonly kept: CandidateMaterial; readonly shown: ShownCandidate } {
  const exemplars = candidate.exemplarIds.flatMap((id) => find(id) ?? []);
  const contrasts = candidate.contrastIds.flatMap((id) => find(id) ?? []);
  const evidence = [
    ...exemplars.map((one) => evidenceOf(candidate, one, idName)),
    ...contrasts.map((one) => contrastOf(one, idName)),
  ];
  const target = targetOf(candidate, exemplars);
  const excerpt = ({ trial, messages }: NamedUnit) => ({
    id: trial.id,
    text: excerptAround(messages, trial.failedPrompt, narrationLimits.excerpt),
  });
  const [contrast] = contrasts;
  return {
    kept: {
      candidate,
      pattern: patternOfMost(candidate, exemplars),
      evidence: evidence.slice(0, materialLimits.evidence),
      omittedEvidence: Math.max(0, evidence.length - materialLimits.evidence),
      ...(target !== undefined && { target }),
    },
    shown: {
      candidate,
      exemplars: exemplars.slice(0, narrationLimits.exemplars).map(excerpt),
      ...(contrast !== undefined && { contrast: excerpt(contrast) }),
      tools: toolsOf(candidate, exemplars),
    },
  };
}

const tellsFailure: ReadonlySet<string> = new Set(['case_fail', 'flaky_case', 'criterion_fail']);

function failureTextOf(candidate: Candidate, { trial, messages }: NamedUnit): string {
  if (candidate.detector === 'tool_errors') {
    const use = trial.tools.find((one) => toolIdOf(one) === candidate.subjectId);
    return errorTextOf(messages, candidate.subjectLabel, use?.errorCallId) ?? trial.failure;
  }
  return tellsFailure.has(candidate.detector) ? trial.failure : '';
}

function patternOfMost(candidate: Candidate, exemplars: readonly NamedUnit[]): string {
  const patterns = exemplars.map((one) => patternOf(failureTextOf(candidate, one)));
  return mostFrequent(patterns, (one) => patterns.filter((same) => same === one).length) ?? '';
}

type IdName = 'iterationId' | 'sessionId';

function evidenceOf(candidate: Candidate, named: NamedUnit, idName: IdName): FindingEvidence {
  const { trial, messages } = named;
  const failure = failureTextOf(candidate, named);
  const isToolError = candidate.detector === 'tool_errors';
  const isJudges = !isToolError && trial.failedByJudge && failure !== '';
  const transcript = excerptAround(messages, trial.failedPrompt, materialLimits.excerpt);
  const text = isToolError || isJudges ? failure || transcript : transcript || failure;
  const errorCode = trial.tools.find((use) => toolIdOf(use) === candidate.subjectId)?.errorCode;
  return {
    kind: isToolError ? 'tool_error' : isJudges ? 'judge' : 'transcript',
    excerpt: cutText(text, materialLimits.excerpt),
    [idName]: trial.id,
    ...(isToolError && { toolName: candidate.subjectLabel }),
    ...(isToolError && errorCode !== undefined && { errorCode }),
  };
}

function contrastOf({ trial, messages }: NamedUnit, idName: IdName): FindingEvidence {
  const excerpt = cutText(lastAnswer(messages), materialLimits.excerpt);
  return { kind: 'contrast', excerpt, [idName]: trial.id };
}

/**
 * Returns the tool definition that a candidate is about. Undefined unless exactly one tool listed
 * in an exemplar's trial fits.
 */
function targetOf(
  candidate: Candidate,
  exemplars: readonly NamedUnit[],
): FindingTarget | undefined {
  const surface = surfaceOf(candidate);
  if (surface === undefined) return undefined;
  for (const named of exemplars) {
    const found = toolAtFault(candidate, named);
    const { toolSurfaceHash: snapshotHash } = named.trial;
    if (found === undefined || snapshotHash === null) continue;
    const { serverId, tool } = found;
    return {
      serverId,
      toolName: String(tool['name']),
      surface,
      snapshotHash,
      currentDefinition: definitionOf(tool),
    };
  }
  return undefined;
}

function surfaceOf({
  detector,
  firstFailedStage,
}: Candidate): FindingTarget['surface'] | undefined {
  if (detector === 'tool_errors') return 'handler';
  if (detector !== 'case_fail' && detector !== 'criterion_fail') return undefined;
  if (firstFailedStage === 'selection') return 'description';
  if (firstFailedStage === 'call') return 'input_schema';
  return firstFailedStage === 'response' ? 'handler' : undefined;
}

interface ListedTool {
  readonly serverId: string;
  readonly tool: Readonly<Record<string, unknown>>;
}

function toolAtFault(candidate: Candidate, { trial, surface }: NamedUnit): ListedTool | undefined {
  const isTool = candidate.subjectKind === 'tool';
  const name = isTool ? candidate.subjectLabel : trial.failedTool;
  const listed = listedTools(surface).filter(
    ({ serverId, tool }) =>
      tool['name'] === name &&
      (!isTool || candidate.subjectId === name || candidate.subjectId === `${serverId}.${name}`),
  );
  return listed.length === 1 ? listed[0] : undefined;
}

function listedTools(surface: NamedUnit['surface']): ListedTool[] {
  return Object.entries(surface ?? {}).flatMap(([serverId, tools]) =>
    (Array.isArray(tools) ? tools : []).filter(isRecord).map((tool) => ({ serverId, tool })),
  );
}

function definitionOf(
  tool: Readonly<Record<string, unknown>>,
): NonNullable<FindingTarget['currentDefinition']> {
  let truncated = false;
  const bound = (text: string) => {
    truncated ||= text.length > materialLimits.definition;
    return cutText(text, materialLimits.definition);
  };
  const { description, inputSchema, outputSchema } = tool;
  const definition = {
    ...(typeof description === 'string' && { description: bound(description) }),
    ...(isRecord(inputSchema) && { inputSchemaJson: bound(JSON.stringify(inputSchema)) }),
    ...(isRecord(outputSchema) && { outputSchemaJson: bound(JSON.stringify(outputSchema)) }),
  };
  return { ...definition, truncated };
}

function toolsOf(candidate: Candidate, exemplars: readonly NamedUnit[]): ShownTool[] {
  const tools = new Map<string, ShownTool>();
  for (const { trial, surface } of exemplars.slice(0, narrationLimits.exemplars)) {
    const names = new Set([trial.failedTool, ...trial.tools.map(({ toolName }) => toolName)]);
    if (candidate.subjectKind === 'tool') names.add(candidate.subjectLabel);
    for (const { serverId, tool } of listedTools(surface)) {
      const { name, description, inputSchema } = tool;
      if (typeof name !== 'string' || !names.has(name)) continue;
      tools.set(`${serverId}.${name}`, {
        name,
        description: typeof description === 'string' ? description : '',
        inputSchema: JSON.stringify(inputSchema) ?? '',
      });
    }
  }
  return [...tools.values()].slice(0, narrationLimits.tools);
}

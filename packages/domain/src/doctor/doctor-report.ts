import type { Json } from '../kernel/json.ts';
import type { ExcludedTool } from '../surfaces/excluded-tools.ts';
import type {
  DoctorCheckName,
  DoctorCheckState,
  DoctorConnectionState,
  DoctorStatus,
} from './doctor-words.ts';
import type { RevisionFinding } from './revision-state.ts';

export interface DoctorCheckResult {
  readonly status: DoctorCheckState;
  readonly detail: string;
  readonly durationMs?: number;
  readonly tried?: string;
  readonly advice?: string;
}

export interface DoctorFindings {
  readonly generatedAt: string;
  readonly status: DoctorStatus;
  readonly probe: Json | null;
  readonly connection: { readonly status: DoctorConnectionState; readonly detail: string };
  readonly initInfo: Json | null;
  readonly capabilities: Json | null;
  readonly tools: readonly Json[];
  readonly excludedTools: readonly ExcludedTool[];
  readonly resources: readonly Json[];
  readonly resourceTemplates: readonly Json[];
  readonly prompts: readonly Json[];
  readonly revisions: readonly RevisionFinding[];
  readonly checks: Readonly<Record<DoctorCheckName, DoctorCheckResult>>;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly details?: Json;
  } | null;
}

export type { ApiKey } from './api-keys/shapes.ts';
export type { AuditLogLine } from './audit-log/shapes.ts';
export type { Organization, Project } from './catalog/shapes.ts';
export type { WidgetsTestable } from './catalog/widgets-testable.ts';
export type { Client, ClientDetail } from './clients/shapes.ts';
export type { ProjectEnvironment, ProjectEnvironmentResolved } from './environments/shapes.ts';
export * from './error-body.ts';
export * from './errors.ts';
export { largestArtifactBytes } from './eval-ingest/shapes.ts';
export type { EvalRun } from './eval-runs/shapes.ts';
export type { EvalRunStages } from './eval-runs/stage-shapes.ts';
export type { EvalRunStatistics } from './eval-runs/statistics-shapes.ts';
export { EvalIterationWidget } from './eval-runs/widget-shapes.ts';
export type { EvalSuiteDetail } from './eval-suites/authoring-shapes.ts';
export { EvalSuiteImportRequest, maxEnvironmentsOfSuite } from './eval-suites/authoring-shapes.ts';
export type { EvalCase } from './eval-suites/case-shapes.ts';
export type { EvalSuiteHistory } from './eval-suites/history-shapes.ts';
export type { EvalSuitePlan } from './eval-suites/planning-shapes.ts';
export type { EvalSuite } from './eval-suites/shapes.ts';
export type { Health } from './health/shapes.ts';
export type { Home } from './home/shapes.ts';
export * from './idempotency-key.ts';
export { jsonSchemaOf } from './json-schema.ts';
export type { Invitation, Member, OneTimeLink } from './members/shapes.ts';
export type { ModelProviderEntry } from './models/provider-shapes.ts';
export * from './operation.ts';
export * from './operations.ts';
export type { Plugin, PluginDetail, PluginVersion } from './plugins/shapes.ts';
export * from './published-schemas.ts';
export * from './requests.ts';
export type {
  DoctorReport,
  Prompt,
  Resource,
  ResourceTemplate,
  Tool,
} from './servers/diagnostic-shapes.ts';
export {
  type ProjectServer,
  ProjectServerCreateRequest,
  ProjectServerUpdateRequest,
} from './servers/shapes.ts';
export type { Session } from './sign-in/shapes.ts';
export type { Skill, SkillDetail } from './skills/shapes.ts';
export type { SwarmFinding } from './swarms/finding-shapes.ts';
export type { Journey } from './swarms/journey-shapes.ts';
export type { Persona } from './swarms/persona-shapes.ts';
export type { Swarm } from './swarms/swarm-shapes.ts';
export * from './types.ts';
export type { ScenarioMember } from './user-testing/member-shapes.ts';
export type { ScenarioFinding } from './user-testing/readout-shapes.ts';
export type {
  ProjectScenario,
  Scenario,
  ScenarioDetail,
  UserTestingScenario,
} from './user-testing/scenario-shapes.ts';
export type { UserTestingSession } from './user-testing/session-shapes.ts';
export * from './version.ts';

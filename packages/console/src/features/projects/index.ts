/** The exports of this feature for other features. */
export { ProjectSettings } from './project-settings.tsx';
export { ScorerSecret } from './scorer-secret.tsx';

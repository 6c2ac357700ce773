export { ProjectSettings } from './project-settings.tsx';
export { ScorerSecret } from './scorer-secret.tsx';

import { Link } from '@tanstack/react-router';
import { useProject } from '../data/projects.ts';

export function ProjectCrumbs(props: { projectId: string }) {
  const { data: project } = useProject(props.projectId);
  return (
    <>
      <Link to="/projects">Projects</Link>
      {' / '}
      <Link to="/projects/$projectId" params={{ projectId: props.projectId }}>
        {project?.name ?? 'Project'}
      </Link>
    </>
  );
}

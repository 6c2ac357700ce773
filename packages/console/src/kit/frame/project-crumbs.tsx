import { Link } from '@tanstack/react-router';
import { familyOf, type ProjectSection, projectSectionNames } from './project-sections.ts';
import { useProject } from './use-project.ts';

export function ProjectCrumbs(props: {
  projectId: string;
  section?: Exclude<ProjectSection, 'overview'>;
}) {
  const { data: project } = useProject(props.projectId);
  const params = { projectId: props.projectId };
  return (
    <>
      <Link to="/projects">Projects</Link>
      {' / '}
      <Link to="/projects/$projectId" params={params}>
        {project?.name ?? 'Project'}
      </Link>
      {props.section !== undefined && (
        <>
          {' / '}
          <Link
            to="/projects/$projectId"
            params={params}
            search={{ section: props.section }}
            data-family={familyOf(props.section)}
          >
            {projectSectionNames[props.section]}
          </Link>
        </>
      )}
    </>
  );
}

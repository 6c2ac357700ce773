import type { Project } from '@proofmark/contract';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useWholeList } from '../../../kit/data/operations.ts';
import { FilterBox, shortListLength } from '../../../kit/filter-box.tsx';
import { PageFrame } from '../../../kit/frame/page-frame.tsx';
import { roleWords, visibilityWords } from '../../../kit/project-words.ts';
import { Empty, QueryView } from '../../../kit/query-view.tsx';
import { useOrganizationName } from '../../accounts/index.ts';

export function ProjectsPage() {
  const projects = useWholeList('listProjects', {});
  return (
    <PageFrame
      title="Projects"
      intro="A project holds MCP servers and what tests them."
      actions={
        <Link to="/projects/new" className="button primary">
          New project
        </Link>
      }
    >
      <QueryView query={projects}>
        {(all) => (all.length === 0 ? <NoProjects /> : <ProjectTable projects={all} />)}
      </QueryView>
    </PageFrame>
  );
}

function NoProjects() {
  return (
    <Empty title="No projects yet">
      <p>Create one to save your first MCP server in it.</p>
      <Link to="/projects/new" className="button">
        Create a project
      </Link>
    </Empty>
  );
}

function ProjectTable(props: { projects: readonly Project[] }) {
  const [filter, setFilter] = useState('');
  const organizationName = useOrganizationName();
  const shown = props.projects.filter((project) =>
    [project.name, project.description, organizationName(project.organizationId)]
      .join(' ')
      .toLowerCase()
      .includes(filter.trim().toLowerCase()),
  );
  return (
    <>
      {props.projects.length > shortListLength && (
        <FilterBox
          label="Filter projects"
          value={filter}
          found={`${shown.length} of ${props.projects.length} projects`}
          onChange={setFilter}
        />
      )}
      <table>
        <thead>
          <tr>
            <th scope="col">Project</th>
            <th scope="col">Organization</th>
            <th scope="col">Your role</th>
            <th scope="col">Visibility</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((project) => (
            <tr key={project.id}>
              <th scope="row">
                <Link to="/projects/$projectId" params={{ projectId: project.id }}>
                  {project.name}
                </Link>
                {project.isDefault && project.name !== 'Default' && (
                  <span className="tag">default project</span>
                )}
                {project.description !== null && <p className="hint">{project.description}</p>}
              </th>
              <td data-label="Organization">
                <bdi>{organizationName(project.organizationId)}</bdi>
              </td>
              <td data-label="Your role">{roleWords[project.role]}</td>
              <td data-label="Visibility">{visibilityWords[project.visibility]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

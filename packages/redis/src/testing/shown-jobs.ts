import { Queue } from 'bullmq';

/** BullMQ's view of each command of a workspace that has a job, in order of arrival. */
export async function shownJobs(path: string, workspace: string) {
  const queue = new Queue('commands', { connection: { path }, prefix: `{${workspace}}` });
  try {
    const jobs = await queue.getJobs();
    return await Promise.all(
      jobs
        .toSorted((a, b) => a.timestamp - b.timestamp)
        .map(async (job) => {
          const { provider } = job.data as { provider: string };
          return { name: job.name, provider, priority: job.priority, state: await job.getState() };
        }),
    );
  } finally {
    await queue.close();
  }
}

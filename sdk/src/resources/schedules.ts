import { apiPath, apiQuery } from '../api-path.ts';
import type {
  Holiday,
  Occurrence,
  Schedule,
  ScheduleChange,
  ScheduleInput,
  ScheduleRow,
} from '../model/schedule.ts';
import type { Country } from '../model/words.ts';
import type { PageList, Paging } from '../page-list.ts';
import type { CallOptions, Transport } from '../transport.ts';
import { readList } from './read-list.ts';

/** Lists that are paid again every month or week. */
export class Schedules {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Active at once. Its first time is the first that is still to come. */
  async create(schedule: ScheduleInput, options?: CallOptions): Promise<Schedule> {
    return this.#transport.call({
      method: 'POST',
      path: 'schedules',
      body: schedule,
      options,
      // Sent again after a lost answer it would be refused, because its name is taken by what it made.
      isRepeatable: false,
    });
  }

  async get(id: string, options?: CallOptions): Promise<Schedule> {
    return this.#transport.call({
      method: 'GET',
      path: apiPath`schedules/${id}`,
      options,
      isRepeatable: true,
    });
  }

  /** Newest first, also ended ones. */
  list(paging: Paging = {}, options?: CallOptions): PageList<Schedule> {
    return readList(this.#transport, { path: () => 'schedules', filter: paging, options });
  }

  /** For what is to come. A month or week that was paid is not paid again. */
  async update(id: string, schedule: ScheduleChange, options?: CallOptions): Promise<Schedule> {
    return this.#transport.call({
      method: 'PUT',
      path: apiPath`schedules/${id}`,
      body: schedule,
      options,
      // With a version, sent again after a lost answer, it would be refused because of what it changed itself.
      isRepeatable: (schedule.version ?? null) === null,
    });
  }

  /** Nothing is paid until it is resumed, and nothing is made up for then. */
  async pause(id: string, options?: CallOptions): Promise<Schedule> {
    return this.#step(apiPath`schedules/${id}/pause`, options);
  }

  async resume(id: string, options?: CallOptions): Promise<Schedule> {
    return this.#step(apiPath`schedules/${id}/resume`, options);
  }

  /** For ever. */
  async end(id: string, options?: CallOptions): Promise<Schedule> {
    return this.#step(apiPath`schedules/${id}/end`, options);
  }

  /** The saved list. */
  rows(id: string, paging: Paging = {}, options?: CallOptions): PageList<ScheduleRow> {
    return readList(this.#transport, {
      path: () => apiPath`schedules/${id}/rows`,
      filter: paging,
      options,
    });
  }

  /** What it made, latest first. */
  async occurrences(id: string, options?: CallOptions): Promise<readonly Occurrence[]> {
    const { items } = await this.#transport.call<{ items: readonly Occurrence[] }>({
      method: 'GET',
      path: apiPath`schedules/${id}/occurrences`,
      options,
      isRepeatable: true,
    });
    return items;
  }

  /** The holidays that schedules observe; without a year, of this year. */
  async holidays(
    filter: Readonly<{ country: Country; year?: number | undefined }>,
    options?: CallOptions,
  ): Promise<readonly Holiday[]> {
    const { items } = await this.#transport.call<{ items: readonly Holiday[] }>({
      method: 'GET',
      path: 'holidays',
      query: apiQuery(filter),
      options,
      isRepeatable: true,
    });
    return items;
  }

  async #step(path: string, options: CallOptions | undefined): Promise<Schedule> {
    return this.#transport.call({ method: 'POST', path, options, isRepeatable: true });
  }
}

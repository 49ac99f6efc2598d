export { Kafue } from './kafue.ts';
export {
  KafueError,
  type KafueErrorCode,
  type KafueErrorData,
  type KafueErrorDetail,
} from './kafue-error.ts';
export type {
  Approval,
  ApprovalKind,
  ApprovalView,
  Decision,
  DecisionInput,
  DecisionResult,
  MadeDecision,
} from './model/approval.ts';
export type { BulkAccepted, BulkRefused, BulkResult, BulkResults } from './model/bulk.ts';
export type {
  Limit,
  ListEntry,
  ListEntryFilter,
  ListName,
  PersonName,
  Screener,
  Screening,
  ScreeningAttempt,
  ScreeningDecision,
  ScreeningQuestion,
} from './model/control.ts';
export {
  type EndpointDisabledEvent,
  EVENT_TYPES,
  type EventFilter,
  type EventType,
  type KafueEvent,
  type PayoutFileEvent,
  type PayoutFileNotSubmittedEvent,
  type RecipientEvent,
  type TestEvent,
  type TransferEvent,
  type WalletEvent,
} from './model/event.ts';
export {
  type ClientErrorCode,
  ERROR_CODES,
  type ErrorCode,
  FIELD_CODES,
  type FieldCode,
  type FieldProblem,
} from './model/failure.ts';
export type { OperatorRoute } from './model/operator-route.ts';
export {
  type FailedRowsDraft,
  type NotSubmittedFile,
  PAYOUT_FILE_STATES,
  PAYOUT_ROW_FIELDS,
  PAYOUT_ROW_STATES,
  type PayoutFile,
  type PayoutFileApproval,
  type PayoutFileChange,
  type PayoutFileCounts,
  type PayoutFileFilter,
  type PayoutFileItem,
  type PayoutFileState,
  type PayoutFileSubmission,
  type PayoutRow,
  type PayoutRowCorrection,
  type PayoutRowField,
  type PayoutRowFilter,
  type PayoutRowState,
  type SubmittedFile,
} from './model/payout-file.ts';
export type {
  Policy,
  PolicyDocument,
  PolicyDraft,
  PolicyPerson,
  PolicyRule,
  PolicyVersion,
  RuleSentence,
} from './model/policy.ts';
export type {
  Preflight,
  PreflightInput,
  PreflightProblem,
  PreflightWarning,
} from './model/preflight.ts';
export type {
  AccountInput,
  PendingRecipient,
  Recipient,
  RecipientFilter,
  RecipientInput,
  ResolvedAccount,
  ResolvedRecipient,
} from './model/recipient.ts';
export type {
  Holiday,
  Occurrence,
  Recurrence,
  Schedule,
  ScheduleChange,
  ScheduleDate,
  ScheduleInput,
  ScheduleRow,
  ScheduleRowInput,
} from './model/schedule.ts';
export {
  type CancellationCode,
  type CancelledTransfer,
  type FailedTransfer,
  type FinalTransfer,
  type HistoryEntry,
  type InDoubtTransfer,
  type ReversedTransfer,
  type SuccessfulTransfer,
  TRANSFER_STATES,
  TRANSFER_STATUSES,
  type Transfer,
  type TransferApproval,
  type TransferFailureCode,
  type TransferFilter,
  type TransferInput,
  type TransferState,
  type TransferStatus,
  type WaitingTransfer,
} from './model/transfer.ts';
export type { Posting, PostingFilter, PostingKind, Wallet } from './model/wallet.ts';
export {
  DELIVERY_STATES,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryFilter,
  type DeliveryState,
  type ReplayRange,
  type ReplayResult,
  type WebhookChange,
  type WebhookEndpoint,
  type WebhookEndpointWithNewSecret,
  type WebhookEndpointWithSecret,
  type WebhookInput,
} from './model/webhook-endpoint.ts';
export {
  COUNTRIES,
  type Country,
  type Currency,
  type Mode,
  OPERATORS,
  type Operator,
  type TimeInput,
  type Timestamp,
} from './model/words.ts';
export { type Page, PageList, type Paging } from './page-list.ts';
export type { KafueOptions, PersonSession } from './read-options.ts';
export type { PayoutUpload } from './resources/payout-files.ts';
export type { WaitOptions } from './resources/wait-until.ts';
export type { FetchAnswer, FetchFunction, FetchInit } from './send-once.ts';
export type { CallOptions, WriteOptions } from './transport.ts';
export { KafueWebhookError, type KafueWebhookErrorCode } from './webhooks/kafue-webhook-error.ts';
export {
  type SignedWebhookHeaders,
  signWebhookForTests,
  type WebhookToSign,
} from './webhooks/sign-webhook-for-tests.ts';
export {
  verifyScreening,
  verifyWebhook,
  type WebhookHeaders,
  type WebhookToVerify,
} from './webhooks/verify-webhook.ts';
export type { WebhookPayload, WebhookSecrets } from './webhooks/webhook-input.ts';

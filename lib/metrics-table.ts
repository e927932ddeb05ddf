import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, Billing, TableEncryptionV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import type { Config } from './config.ts';
import { stageKey } from './encrypted-resources.ts';
import { output } from './output.ts';

/** Units that the table serves a second for each request of the stage's limit. Warm functions read far fewer (docs/operate/scale.md). */
const READ_UNITS_A_REQUEST = 20;
/** Enough for the ingest and the backfill of every chain, or for one import. */
const WRITE_UNITS = 200;

/** The DynamoDB table: one item per chain and day, and the checkpoints and coverage of each chain. */
export class MetricsTable extends Construct {
  readonly table: TableV2;

  constructor(scope: Construct, id: string, config: Config) {
    super(scope, id);
    const { protect, requestsPerSecond } = config;
    const key = stageKey(this, 'Table', config);
    this.table = new TableV2(this, 'Table', {
      partitionKey: { name: 'chain', type: AttributeType.STRING },
      sortKey: { name: 'date', type: AttributeType.STRING },
      billing: Billing.onDemand({
        maxReadRequestUnits: READ_UNITS_A_REQUEST * requestsPerSecond,
        maxWriteRequestUnits: WRITE_UNITS,
      }),
      ...(key && { encryption: TableEncryptionV2.customerManagedKey(key) }),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: protect,
      removalPolicy: protect ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    output(this, 'TableName', this.table.tableName);
  }
}

# Creates a role with which API Gateway writes logs, and sets it for the account and region. See docs/operate/settings.md#the-log-role-of-the-account.
aws iam create-role --role-name ApiGatewayLogs --assume-role-policy-document \
  '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Service":"apigateway.amazonaws.com"},"Action":"sts:AssumeRole"}]}'
aws iam attach-role-policy --role-name ApiGatewayLogs \
  --policy-arn arn:aws:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs
aws apigateway update-account --patch-operations \
  "op=replace,path=/cloudwatchRoleArn,value=$(aws iam get-role --role-name ApiGatewayLogs --query Role.Arn --output text)"

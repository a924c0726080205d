RULES=[]
def rule_for(m): return None
